// Modelica text -> Model. Reads a file, a text or a class of a library, instantiates the class with
// all its components and connections, and gives the flat model, or all diagnostics of one run.
//
//     LoadResult result = load_model("pendulum.mo");
//     if (result.model) simulate(*result.model, ...);
//     std::cerr << render(result.diagnostics, result.sources.get());
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

struct LoadOptions {
  // Folders with Modelica libraries, searched in order.
  std::vector<std::filesystem::path> library_path;
  // Values for parameters by path ("controller.k" -> "2.5"), also for those that shape the model.
  std::map<std::string, std::string> parameters;
  // Folders whose files a model may read, beside its own and those of its libraries.
  std::vector<std::filesystem::path> file_roots;
  // External functions may be loaded from shared libraries. Their code runs in this process.
  bool allow_external = false;
  // The model may have more equations than unknowns or fewer.
  bool may_be_unbalanced = false;
  // The equations of the text and no others, in its order: a = b between continuous variables
  // stays an equation (otherwise both become one variable), an input of the model that nothing
  // determines stays free (otherwise it keeps its start value). May be unbalanced, too.
  bool as_written = false;
  // Told what is being done, a literal that continues "the run is ...", for somebody who watches
  // from another thread.
  std::atomic<const char*>* doing = nullptr;
};

struct LoadResult {
  std::optional<Model> model;          // nothing if there are errors
  Diagnostics diagnostics;             // errors and warnings
  bool is_misused = false;             // all errors are about the class and the values asked for
  std::shared_ptr<SourceSet> sources;  // texts the diagnostics refer to
  double parse_seconds = 0;            // of texts to syntax trees
  double flatten_seconds = 0;          // all the rest
};

// Folders of the environment variables HYDAE_PATH and MODELICAPATH, in this order.
std::vector<std::filesystem::path> library_path_from_environment();

// The class `class_name` of a file (dotted, or the last part of a name); without a name the last
// model or block of the file.
LoadResult load_model(const std::filesystem::path& file, const std::string& class_name = "",
                      const LoadOptions& options = {});
// A class that is found on the library path.
LoadResult load_class(const std::string& class_name, const LoadOptions& options = {});
// The same from text; `text_name` is what messages call it.
LoadResult load_text(const std::string& text, const std::string& class_name = "",
                     const LoadOptions& options = {}, const std::string& text_name = "model.mo");

// The model as flat Modelica text; names with paths are quoted identifiers. Reading it again gives
// the same model.
std::string flatten_to_text(const Model& model);

}  // namespace hydae
