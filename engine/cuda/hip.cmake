# backend_hip.so, for AMD's GPUs: the sources of backend_cuda.so with names.h mapping CUDA's names onto HIP's. hipcc is
# called as a command, because CMake's HIP language wants all of ROCm's own CMake files.
set(PLIMSOLL_HIP AUTO
    CACHE STRING "Build the AMD back end: AUTO (where hipcc and ROCm's libraries are), ON (or fail), OFF")
set_property(CACHE PLIMSOLL_HIP PROPERTY STRINGS AUTO ON OFF)
if(PLIMSOLL_HIP STREQUAL "OFF")
  message(STATUS "AMD back end: off")
  return()
endif()

function(plimsoll_without_hip why)
  if(PLIMSOLL_HIP STREQUAL "AUTO")
    message(STATUS "AMD back end: not built, ${why}")
  else()
    message(FATAL_ERROR "PLIMSOLL_HIP=${PLIMSOLL_HIP}, but ${why}")
  endif()
endfunction()

set(rocm_places ENV ROCM_PATH ENV HIP_PATH PATHS /opt/rocm)
find_program(PLIMSOLL_HIPCC hipcc HINTS ${rocm_places} PATH_SUFFIXES bin)
if(NOT PLIMSOLL_HIPCC)
  plimsoll_without_hip("no hipcc was found (set ROCM_PATH)")
  return()
endif()
# MI250X and MI250; MI300A, MI300X and MI325X. Kernels run on the architectures they are compiled for and no others.
set(PLIMSOLL_HIP_ARCHITECTURES "gfx90a;gfx942" CACHE STRING "Architectures of the AMD back end, with waves of 64 lanes")
file(GLOB hip_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cu)
file(GLOB hip_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cuh ${CMAKE_CURRENT_SOURCE_DIR}/*.h
     ${PROJECT_SOURCE_DIR}/engine/kernels/operations.h)

# Objects of all sources in `folder`, for `architectures`, with further options in ARGN; their list becomes `objects`.
function(plimsoll_hip_objects objects folder architectures)
  string(REPLACE ";" " " named "${architectures}")
  set(arguments -std=c++17 -O3 -fPIC -fvisibility=hidden -Wall -Wextra -I${PROJECT_SOURCE_DIR}
      "-DPLIMSOLL_HIP_ARCHITECTURES=\"${named}\"")
  foreach(architecture ${architectures})
    list(APPEND arguments --offload-arch=${architecture})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  foreach(source ${hip_sources})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${name}.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} ${hip_headers}
      COMMAND ${PLIMSOLL_HIPCC} ${arguments} ${ARGN} -x hip -c ${source} -o ${object}
      COMMENT "Compiling ${name}.cu as HIP" VERBATIM)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()

find_path(HIPBLASLT_INCLUDE_DIR hipblaslt/hipblaslt.h HINTS ${rocm_places} PATH_SUFFIXES include)
find_path(RCCL_INCLUDE_DIR rccl/rccl.h HINTS ${rocm_places} PATH_SUFFIXES include)
find_path(ROCBLAS_INCLUDE_DIR rocblas/rocblas.h HINTS ${rocm_places} PATH_SUFFIXES include)
find_library(HIPBLASLT_LIBRARY hipblaslt HINTS ${rocm_places} PATH_SUFFIXES lib lib64)
find_library(RCCL_LIBRARY rccl HINTS ${rocm_places} PATH_SUFFIXES lib lib64)
find_library(ROCBLAS_LIBRARY rocblas HINTS ${rocm_places} PATH_SUFFIXES lib lib64)
set(hip_libraries ${HIPBLASLT_LIBRARY} ${ROCBLAS_LIBRARY} ${RCCL_LIBRARY})
set(hip_folders ${HIPBLASLT_INCLUDE_DIR} ${ROCBLAS_INCLUDE_DIR} ${RCCL_INCLUDE_DIR})
if(hip_libraries MATCHES "NOTFOUND" OR hip_folders MATCHES "NOTFOUND")
  # That the sources compile can be checked all the same, with headers that hold no more than what they call:
  # cmake --build . --target check_hip. gfx940 stands for gfx942, its successor, which clang 17 and newer know.
  execute_process(COMMAND ${PLIMSOLL_HIPCC} --version OUTPUT_VARIABLE hipcc_version ERROR_QUIET)
  set(check_architectures gfx90a gfx942)
  if(hipcc_version MATCHES "clang version ([0-9]+)" AND CMAKE_MATCH_1 LESS 17)
    set(check_architectures gfx90a gfx940)
  endif()
  plimsoll_hip_objects(check_objects check_hip "${check_architectures}" -Werror
                       -I${PROJECT_SOURCE_DIR}/tests/engine/rocm)
  add_custom_target(check_hip DEPENDS ${check_objects})
  plimsoll_without_hip("hipBLASLt, rocBLAS or RCCL was not found (set ROCM_PATH)")
  return()
endif()

list(TRANSFORM hip_folders PREPEND -I OUTPUT_VARIABLE hip_includes)
list(REMOVE_DUPLICATES hip_includes)
set(hip_rpaths)
foreach(library ${hip_libraries})
  get_filename_component(folder ${library} DIRECTORY)
  list(APPEND hip_rpaths -Wl,-rpath,${folder})
endforeach()
list(REMOVE_DUPLICATES hip_rpaths)
plimsoll_hip_objects(hip_objects backend_hip "${PLIMSOLL_HIP_ARCHITECTURES}" ${hip_includes})
set(backend_hip ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/backend_hip.so)
add_custom_command(OUTPUT ${backend_hip} DEPENDS ${hip_objects}
  COMMAND ${PLIMSOLL_HIPCC} -shared -o ${backend_hip} ${hip_objects} ${hip_libraries} ${hip_rpaths}
  COMMENT "Linking backend_hip.so" VERBATIM)
add_custom_target(backend_hip ALL DEPENDS ${backend_hip})
# As CUDA's is, apart from the package: cmake --install build --component hip
install(PROGRAMS ${backend_hip} DESTINATION ${CMAKE_INSTALL_LIBDIR}/plimsoll COMPONENT hip EXCLUDE_FROM_ALL)
message(STATUS "AMD back end: ${PLIMSOLL_HIPCC}, architectures ${PLIMSOLL_HIP_ARCHITECTURES}, ${hip_libraries}")
