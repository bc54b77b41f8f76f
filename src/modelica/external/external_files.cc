// Functions of the standard library that deal with files. Files are read while the model is built,
// and never written.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "modelica/external/file_access.h"
#include "modelica/external/native_calls.h"

namespace hydae::modelica::native {

// Also `modelica://Package.Name/path`, from the folder of that package.
std::string resolve_path(Session& session, const std::string& name, SourceRange range) {
  namespace fs = std::filesystem;
  const std::string scheme = "modelica://";
  std::error_code ignored;
  if (!name.starts_with(scheme)) return fs::absolute(name, ignored).lexically_normal().string();
  const std::size_t slash = name.find('/', scheme.size());
  const std::string package = name.substr(scheme.size(), slash - scheme.size());
  const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
  const fs::path folder = folder_of(session.workspace, package);
  if (folder.empty())
    session.fail("resource-not-found", fmt::format("the folder of `{}` is not found", package),
                 range);
  return (folder / rest).lexically_normal().string();
}

std::vector<Value> full_path_name(const Call& call) {
  return {Value::string(resolve_path(call.session, call.text(0), call.range))};
}

std::vector<Value> ignore(const Call&) { return {}; }

// To the terminal: not while a model is read. To a file: never.
std::vector<Value> print(const Call& call) {
  if (call.inputs.size() > 1 && !call.text(1).empty()) write_nothing(call);
  return {};
}

// A model does not write files; that nothing was written changes no result.
std::vector<Value> write_nothing(const Call& call) {
  call.session.warning("file-not-written", "models do not write files: this call has no effect",
                       call.range);
  return {call.session.evaluator->boolean(true)};
}

namespace {

// Without a line end of any kind.
bool next_line(std::istream& in, std::string& line) {
  if (!std::getline(in, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

std::ifstream open_file(const Call& call) {
  const std::string name =
      readable_file(call.session, resolve_path(call.session, call.text(0), call.range), call.range);
  std::ifstream file(name);
  if (!file) call.session.fail("file-not-found", fmt::format("cannot read `{}`", name), call.range);
  return file;
}

}  // namespace

// Inputs: file, number of the line. Results: the line, whether there is none.
std::vector<Value> read_line(const Call& call) {
  const std::int64_t wanted = call.integer(1);
  std::ifstream file = open_file(call);
  std::string line;
  bool is_there = wanted >= 1;
  for (std::int64_t number = 1; is_there && number <= wanted; ++number)
    is_there = next_line(file, line);
  return {Value::string(is_there ? line : ""), call.session.evaluator->boolean(!is_there)};
}

std::vector<Value> count_lines(const Call& call) {
  std::ifstream file = open_file(call);
  std::string line;
  std::int64_t count = 0;
  while (next_line(file, line)) ++count;
  return {call.session.evaluator->integer(count)};
}

}  // namespace hydae::modelica::native
