#include "modelica/external/file_access.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/class_tree.h"

namespace hydae::modelica {

namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return false;
  const auto end = std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first;
  return end == root.end();
}

[[noreturn]] void fail_not_allowed(Session& session, const std::string& name, SourceRange range) {
  Diagnostic refused;
  refused.code = "file-not-allowed";
  refused.message =
      fmt::format("`{}` is outside of the folders of the model and its libraries", name);
  refused.range = range;
  refused.help = "if you trust the model, allow the folder of the file with --allow-files";
  session.fail(std::move(refused));
}

}  // namespace

std::string readable_file(Session& session, const std::string& name, SourceRange range) {
  std::error_code error;
  const fs::path file = fs::weakly_canonical(name, error);
  if (error) session.fail("file-not-found", fmt::format("cannot read `{}`", name), range);
  std::vector<fs::path> roots = session.workspace.own_folders();
  roots.insert(roots.end(), session.request.file_roots.begin(), session.request.file_roots.end());
  const bool is_allowed = std::any_of(roots.begin(), roots.end(),
                                      [&](const fs::path& root) { return is_below(file, root); });
  if (!is_allowed) fail_not_allowed(session, file.string(), range);
  if (!fs::is_regular_file(file, error))
    session.fail("file-not-found", fmt::format("there is no file `{}`", file.string()), range);
  return file.string();
}

}  // namespace hydae::modelica
