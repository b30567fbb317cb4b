#pragma once
// Measured operators as tables of comma-separated values, one kind a file. The header says which:
//
//   machine,format,m,n,k,time_us,conversion,kernel,source
//   machine,kernel,pass,key_dim,value_dim,heads,kv_heads,sequence,batch,time_us,source
//   machine,format,pass,experts,rows,n,k,time_us,kernel,source
//   machine,operation,ranks,ranks_per_node,bytes,time_us,source
//   machine,operation,bytes,time_us,source
//
// `machine` is the id of a preset. format: fp32, fp16, bf16, fp8. conversion: none, tensor, row, block,
// block_packed, block_given. kernel of
// attention: as in stacks. pass of attention, all of it causal: forward, backward, both; of grouped products: forward,
// data_gradient, weight_gradient. operation: all_reduce, all_gather, reduce_scatter, all_to_all, p2p.

#include "core/evidence/operators/operator_row.h"
#include "core/files/text/problem.h"

#include <string_view>

namespace plimsoll {

Expected<OperatorRows, Problems> read_operator_rows(std::string_view csv, const std::string& file);

}  // namespace plimsoll
