// Words for what a partition decided, shared by the reports.
#pragma once

#include <string>

#include <hydae/partition.h>

namespace hydae::partition {

const char* outcome_name(Outcome outcome);  // "index1", "unstable", ...
const char* rule_name(StabilityRule rule);  // "estimate", ...
Index subsystem_index(const Partition& partition);
// Why a constraint was taken or refused, in one clause.
std::string reason(const ModelPartition& partition, const Decision& decision);

}  // namespace hydae::partition
