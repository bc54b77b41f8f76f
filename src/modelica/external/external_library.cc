// External functions of shared libraries: which file, which arguments, which results.
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

#include <hydae/error.h>

#include "modelica/classes/modification.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/external/c_function.h"
#include "modelica/external/external.h"
#include "modelica/flat/flat.h"
#include "modelica/functions/derivatives.h"
#include "modelica/functions/function_variables.h"
#include "modelica/functions/loop_function.h"

namespace hydae::modelica {
namespace {

namespace fs = std::filesystem;
using Kind = CArgument::Kind;

bool is_real(const Value& value) { return value.type == BaseType::kReal; }

bool is_fortran(const FunctionInfo& function) {
  return function.external->language != nullptr &&
         syntax::string_value(*function.external->language) == "FORTRAN 77";
}

// A FORTRAN 77 compiler writes names in lower case, with an underscore behind them.
std::string symbol_of(const FunctionInfo& function, std::string name) {
  if (!is_fortran(function)) return name;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name + "_";
}

const Element* named(const std::vector<Element*>& elements, const syntax::Expr& expr) {
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&expr);
  if (reference == nullptr || reference->parts.size() != 1 ||
      !reference->parts.front().subscripts.empty())
    return nullptr;
  for (const Element* element : elements)
    if (element->name == reference->parts.front().name.symbol) return element;
  return nullptr;
}

}  // namespace

// The C call: its inputs are the cells of the Modelica inputs in their order, and behind them what
// other expressions it is given.
class External::LibraryCall {
 public:
  LibraryCall(External& owner, const FunctionInfo& function, const Env& env, SourceRange range)
      : owner_(owner), session_(owner.session_), function_(function), env_(env), range_(range) {
    env_.scope = function.external_scope;
    for (const Element* input : function.inputs) {
      first_input_.push_back(inputs_.size());
      const Value& value = *env.frame->slots[static_cast<std::size_t>(input->slot)];
      inputs_.insert(inputs_.end(), value.cells.begin(), value.cells.end());
    }
    for (Element* output : function.outputs) {
      outputs_.push_back(FunctionVariables(session_).blank(*output, env));
      first_output_.push_back(num_outputs_);
      if (!outputs_.back().has_cells())
        session_.unsupported("an external function whose result is no number is", range);
      num_outputs_ += outputs_.back().cells.size();
    }
    make_signature();
    if (is_fortran(function)) make_fortran_signature();
  }

  const std::vector<NodeId>& inputs() const { return inputs_; }

  // The inputs of the Modelica function.
  std::vector<Value> own_inputs() const {
    std::vector<Value> out;
    for (std::size_t k = 0; k < function_.inputs.size(); ++k) out.push_back(input_value(k));
    return out;
  }

  Derivatives::Request differentiated(const DerivativeNote& note) const {
    std::vector<Value> registers = own_inputs();
    std::size_t next = 0;
    for (Value& value : registers)
      replace_cells(value, [&](NodeId, BaseType type) {
        const NodeId input = session_.graph->variable(ProgramRecorder::variable(next++));
        if (type != BaseType::kBoolean) return input;
        return session_.graph->relation(Op::kNotEqual, input, session_.graph->constant(0), true);
      });
    return {function_, note, std::move(registers), outputs_, static_cast<int>(inputs_.size()),
            range_};
  }

  Function make(const std::string& name) const {
    const SharedLibrary library = owner_.open_library(function_, range_);
    void* address = library.find(name);
    if (address == nullptr)
      session_.fail("external-not-found", fmt::format("the library has no function `{}`", name),
                    range_);
    Function function;
    function.name = label(name);
    function.num_inputs = static_cast<int>(inputs_.size());
    function.num_outputs = static_cast<int>(num_outputs_);
    function.evaluate = make_c_call(library, address, signature_);
    function.source = range_;
    return function;
  }

  std::vector<Value> results(const std::vector<NodeId>& cells) const {
    std::vector<Value> results = outputs_;
    for (std::size_t k = 0; k < results.size(); ++k)
      std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(first_output_[k]),
                  results[k].cells.size(), results[k].cells.begin());
    return results;
  }

 private:
  // 12.9.1: everything by reference. Texts would need their lengths, and matrices are stored by
  // columns there.
  void make_fortran_signature() {
    signature_.is_by_reference = true;
    for (const CArgument& argument : signature_.arguments)
      if (argument.kind == Kind::kText)
        session_.unsupported("a String argument of a FORTRAN 77 function is", range_);
    const auto refuse_matrix = [&](const Value& value) {
      if (value.sizes.size() > 1)
        session_.unsupported("a matrix argument of a FORTRAN 77 function is", range_);
    };
    for (const Value& value : own_inputs()) refuse_matrix(value);
    for (const Value& value : outputs_) refuse_matrix(value);
  }

  // Two calls with the same label are one function: fixed sizes and texts are part of it.
  std::string label(std::string name) const {
    for (const CArgument& argument : signature_.arguments) {
      if (argument.kind == Kind::kSize) name += fmt::format(" {}", argument.size);
      if (argument.kind == Kind::kText) name += fmt::format(" \"{}\"", argument.text);
    }
    return name;
  }

  void make_signature() {
    const syntax::External& external = *function_.external;
    if (!external.function.is_valid()) return make_default_signature();
    for (const syntax::Expr* argument : external.arguments) {
      if (const Element* output = named(function_.outputs, *argument))
        add_output(position(function_.outputs, output));
      else if (const Element* input = named(function_.inputs, *argument))
        add_input(position(function_.inputs, input));
      else
        add_expression(*argument);
    }
    if (external.output == nullptr) return;
    const Element* output = named(function_.outputs, *external.output);
    if (output == nullptr)
      session_.fail("bad-external", "the result of the external call is no output", range_);
    set_result(position(function_.outputs, output));
  }

  // 12.9.1: the inputs, each array with its sizes, then the outputs; a single scalar one is
  // returned.
  void make_default_signature() {
    for (std::size_t k = 0; k < function_.inputs.size(); ++k) {
      add_input(k);
      add_sizes(input_value(k));
    }
    if (outputs_.size() == 1 && outputs_.front().is_scalar()) return set_result(0);
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      add_output(k);
      add_sizes(outputs_[k]);
    }
  }

  static std::size_t position(const std::vector<Element*>& elements, const Element* element) {
    return static_cast<std::size_t>(std::find(elements.begin(), elements.end(), element) -
                                    elements.begin());
  }
  const Value& input_value(std::size_t k) const {
    return *env_.frame->slots[static_cast<std::size_t>(function_.inputs[k]->slot)];
  }

  void add_input(std::size_t k) { add_value(input_value(k), first_input_[k]); }

  void add_value(const Value& value, std::size_t first) {
    CArgument argument;
    if (value.type == BaseType::kString && value.is_scalar()) {
      argument.kind = Kind::kText;
      argument.text = value.text();
    } else if (!value.has_cells()) {
      session_.unsupported(
          fmt::format("an argument of type {} of an external function is", type_text(value)),
          range_);
    } else {
      argument.kind = value.is_scalar() ? (is_real(value) ? Kind::kReal : Kind::kInteger)
                                        : (is_real(value) ? Kind::kRealArray : Kind::kIntegerArray);
      argument.first = first;
      argument.count = value.cells.size();
    }
    signature_.arguments.push_back(std::move(argument));
  }

  void add_sizes(const Value& value) {
    for (const int size : value.sizes) add_size(static_cast<std::size_t>(size));
  }
  void add_size(std::size_t size) {
    CArgument argument;
    argument.kind = Kind::kSize;
    argument.size = size;
    signature_.arguments.push_back(std::move(argument));
  }

  void add_expression(const syntax::Expr& expr) {
    const Value value = session_.evaluator->evaluate(expr, env_);
    if (value.type == BaseType::kInteger && value.is_scalar() &&
        session_.folding->is_parameter_expression(value.scalar())) {
      const NodeId known =
          session_.folding->fold(value.scalar(), range_, "an argument of an external function");
      return add_size(static_cast<std::size_t>(session_.folding->number(known)));
    }
    add_value(value, inputs_.size());
    inputs_.insert(inputs_.end(), value.cells.begin(), value.cells.end());
  }

  void add_output(std::size_t k) {
    CArgument argument;
    argument.kind = is_real(outputs_[k]) ? Kind::kRealResult : Kind::kIntegerResult;
    argument.first = first_output_[k];
    argument.count = outputs_[k].cells.size();
    signature_.arguments.push_back(std::move(argument));
  }

  void set_result(std::size_t k) {
    signature_.result =
        is_real(outputs_[k]) ? CSignature::Result::kReal : CSignature::Result::kInteger;
    signature_.result_place = first_output_[k];
  }

  External& owner_;
  Session& session_;
  const FunctionInfo& function_;
  Env env_;
  SourceRange range_;
  std::vector<NodeId> inputs_;
  std::vector<std::size_t> first_input_, first_output_;
  std::size_t num_outputs_ = 0;
  std::vector<Value> outputs_;
  CSignature signature_;
};

// The library of the annotation, in its folder or, by default, in Resources/Library of the package
// and next to the file.
SharedLibrary External::open_library(const FunctionInfo& function, SourceRange range) {
  const auto annotation = [&](const char* name) -> const syntax::Modification* {
    return find_annotation(function.external->annotation, session_.workspace.intern(name));
  };
  Env env;
  env.scope = function.external_scope;
  const auto texts = [&](const syntax::Modification* found) {
    if (found == nullptr || found->value == nullptr) return CheckedList<std::string>();
    return session_.evaluator->evaluate(*found->value, env).strings;
  };
  std::vector<fs::path> folders;
  for (const std::string& folder : texts(annotation("LibraryDirectory")))
    folders.emplace_back(native::resolve_path(session_, folder, range));
  const fs::path own =
      fs::path(session_.workspace.sources()->name(function.external->range.source)).parent_path();
  folders.push_back(own / "Resources" / "Library");
  folders.push_back(own);
  std::vector<fs::path> files;
  for (const std::string& name : texts(annotation("Library"))) {
    for (const fs::path& folder : folders)
      for (const fs::path& sub : {fs::path("linux64"), fs::path()})
        if (const fs::path file = folder / sub / ("lib" + name + ".so"); fs::exists(file))
          files.push_back(fs::absolute(file));
    files.emplace_back("lib" + name + ".so");
    files.emplace_back("lib" + name + ".so.6");  // libm, libc
  }
  try {
    return SharedLibrary(files);
  } catch (const UsageError& error) {
    session_.fail("external-not-found", error.what(), range);
  }
}

std::string External::c_name(const FunctionInfo& function) const {
  return function.external->function.is_valid() ? session_.text(function.external->function.symbol)
                                                : session_.text(function.instance->def->name);
}

std::vector<Value> External::call_library(const FunctionInfo& function, const Env& env,
                                          SourceRange range) {
  const std::string name = c_name(function);
  if (find_annotation(function.external->annotation, session_.workspace.intern("Library")) ==
      nullptr)
    session_.unsupported(
        fmt::format("the external function `{}`, which names no library, is", name), range);
  if (!session_.request.allows_external) {
    Diagnostic refused;
    refused.code = "external-not-allowed";
    refused.message = fmt::format(
        "the external function `{}` is code of a shared library, which is not loaded "
        "unless this is allowed",
        name);
    refused.range = range;
    refused.help = "if you trust it, use --allow-external";
    session_.fail(std::move(refused));
  }
  const LibraryCall call(*this, function, env, range);
  Function code = call.make(symbol_of(function, name));
  const DerivativeNote* derivative =
      session_.functions->derivatives().find(function, call.own_inputs());
  if (derivative != nullptr)
    code.name += fmt::format(".{}", session_.text(derivative->function->name));
  const bool is_new = !session_.flat->natives.contains(code.name);
  try {
    const std::vector<NodeId> cells = native::call_native(session_, code, call.inputs());
    const auto made = session_.flat->natives.find(code.name);
    if (derivative != nullptr && is_new && made != session_.flat->natives.end())
      session_.functions->derivatives().add(call.differentiated(*derivative),
                                            code.name + ".derivative", made->second);
    return call.results(cells);
  } catch (const std::runtime_error& error) {
    session_.fail("external-failed", fmt::format("{}: {}", name, error.what()), range);
  }
}

}  // namespace hydae::modelica
