// Functions of the standard library that deal with files. Files are read while the model is built,
// and never written.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "modelica/external/external.h"
#include "modelica/external/file_access.h"

namespace hydae::modelica {

// Also `modelica://Package.Name/path`, from the folder of that package.
std::string External::resolve_path(const std::string& name, SourceRange range) {
  namespace fs = std::filesystem;
  const std::string scheme = "modelica://";
  std::error_code ignored;
  if (!name.starts_with(scheme)) return fs::absolute(name, ignored).lexically_normal().string();
  const std::size_t slash = name.find('/', scheme.size());
  const std::string package = name.substr(scheme.size(), slash - scheme.size());
  const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
  const fs::path folder = session_.workspace.folder_of(package);
  if (folder.empty())
    session_.fail("resource-not-found", fmt::format("the folder of `{}` is not found", package),
                  range);
  return (folder / rest).lexically_normal().string();
}

std::vector<Value> External::full_path_name(const Call& call) {
  return {Value::string(resolve_path(text(call, 0), call.range))};
}

std::vector<Value> External::ignore(const Call&) { return {}; }

// To the terminal: not while a model is read. To a file: never.
std::vector<Value> External::print(const Call& call) {
  if (call.inputs.size() > 1 && !text(call, 1).empty()) write_nothing(call);
  return {};
}

// A model does not write files; that nothing was written changes no result.
std::vector<Value> External::write_nothing(const Call& call) {
  session_.warning("file-not-written", "models do not write files: this call has no effect",
                   call.range);
  return {session_.evaluator->boolean(true)};
}

namespace {

// Without a line end of any kind.
bool next_line(std::istream& in, std::string& line) {
  if (!std::getline(in, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

}  // namespace

std::ifstream External::open_file(const Call& call) {
  const std::string name =
      readable_file(session_, resolve_path(text(call, 0), call.range), call.range);
  std::ifstream file(name);
  if (!file) session_.fail("file-not-found", fmt::format("cannot read `{}`", name), call.range);
  return file;
}

// Inputs: file, number of the line. Results: the line, whether there is none.
std::vector<Value> External::read_line(const Call& call) {
  const std::int64_t wanted = integer(call, 1);
  std::ifstream file = open_file(call);
  std::string line;
  bool is_there = wanted >= 1;
  for (std::int64_t number = 1; is_there && number <= wanted; ++number)
    is_there = next_line(file, line);
  return {Value::string(is_there ? line : ""), session_.evaluator->boolean(!is_there)};
}

std::vector<Value> External::count_lines(const Call& call) {
  std::ifstream file = open_file(call);
  std::string line;
  std::int64_t count = 0;
  while (next_line(file, line)) ++count;
  return {session_.evaluator->integer(count)};
}

}  // namespace hydae::modelica
