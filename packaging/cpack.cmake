# Two Debian packages, the planner and the engine, and an archive of both:  packaging/package
# They find their library dependencies themselves; that needs dpkg-dev and file.
set(desktop_files ${PROJECT_SOURCE_DIR}/packaging/desktop)
set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable)
install(FILES ${desktop_files}/plimsoll.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${desktop_files}/plimsoll.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${desktop_files}/plimsoll-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
        RENAME plimsoll.xml)
install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/plimsoll.svg DESTINATION ${icons}/apps)
install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/plimsoll.svg DESTINATION ${icons}/mimetypes
        RENAME application-vnd.plimsoll+json.svg)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plimsoll RENAME copyright)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME plimsoll)
set(CPACK_PACKAGE_CONTACT "The Plimsoll authors <plimsoll@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)

# A component is a package: the planner needs no MPI, and a compute node needs no Qt.
set(CPACK_COMPONENTS_ALL planner)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PLANNER_PACKAGE_NAME plimsoll)
set(CPACK_COMPONENT_PLANNER_DESCRIPTION
    "planner for the pre-training of large language models\n\
Time, memory, energy and node-hours of a training run from the shape of the model,\n\
the machine, the parallel layout and the recipe: a window and a command line.")
if(TARGET plimsoll-engine)
  list(APPEND CPACK_COMPONENTS_ALL engine)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plimsoll-engine
          RENAME copyright COMPONENT engine)
  set(CPACK_DEBIAN_PLANNER_PACKAGE_RECOMMENDS "fonts-dejavu-core, plimsoll-engine")
  set(CPACK_DEBIAN_ENGINE_PACKAGE_NAME plimsoll-engine)
  set(CPACK_DEBIAN_ENGINE_PACKAGE_RECOMMENDS openmpi-bin)
  set(CPACK_COMPONENT_ENGINE_DESCRIPTION
      "micro-trainer that calibrates Plimsoll on real hardware\n\
Trains small models in the parallel layouts of a plan and writes down what it measured,\n\
on one computer or in a job of a cluster.")
else()
  set(CPACK_DEBIAN_PLANNER_PACKAGE_RECOMMENDS fonts-dejavu-core)
endif()
# The window in Japanese: letters, and the words of Qt's own dialogs.
set(CPACK_DEBIAN_PLANNER_PACKAGE_SUGGESTS "fonts-noto-cjk | fonts-ipafont-gothic, qt6-translations-l10n")
include(CPack)
