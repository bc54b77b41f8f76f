#include "tool/failure.h"

#include <fmt/format.h>
#include <new>

#include <hydae/error.h>

namespace hydae::tool {
namespace {

ReportedFailure internal_error(const std::string& what) {
  return {kInternalError, Status::kInternalError,
          fmt::format("internal error: {}\n   help: this is a fault of hydae, please report it\n",
                      what)};
}

}  // namespace

ReportedFailure describe_failure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ModelError& model_error) {
    return {kModelWrong, Status::kModelError, model_error.what()};
  } catch (const UsageError& usage) {
    return {kWrongUsage, Status::kInternalError, fmt::format("error: {}\n", usage.what())};
  } catch (const ComputationError& failed) {
    return {kComputationFailed, failed.status(),
            fmt::format("error: {} [{}]\n", failed.what(), name_of(failed.status()))};
  } catch (const std::bad_alloc&) {
    return {kComputationFailed, Status::kOutOfMemory, "error: out of memory [out-of-memory]\n"};
  } catch (const std::exception& other) {
    return internal_error(other.what());
  } catch (...) {
    return internal_error("an exception that says nothing about itself");
  }
}

}  // namespace hydae::tool
