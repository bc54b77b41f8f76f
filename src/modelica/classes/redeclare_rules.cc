#include "modelica/classes/redeclare_rules.h"

#include <fmt/format.h>

#include "modelica/session.h"

namespace hydae::modelica {

namespace {

// What is in force where the redeclaration comes: an earlier one, or the original.
const Declaration& declared_before(const Declaration& original, const ModList& mods,
                                   std::size_t at) {
  for (std::size_t i = at + 1; i < mods.size(); ++i)
    if (mods[i].mod->redeclaration != nullptr) return *mods[i].mod->redeclaration;
  return original;
}

// Without `replaceable`, the type must stay what it is.
bool keeps_type(const Session& session, const Declaration& a, const Declaration& b) {
  if (!a.is_component() || !b.is_component()) return false;
  const SourceSet& sources = *session.workspace.sources();
  return sources.text(a.clause->type.range) == sources.text(b.clause->type.range);
}

void check_replaceable(Session& session, const Declaration& before, const Declaration& now) {
  if (before.element != nullptr && before.element->is_replaceable) return;
  if (keeps_type(session, before, now)) return;
  Diagnostic diagnostic;
  diagnostic.code = "redeclare-non-replaceable";
  diagnostic.message = fmt::format("`{}` is not replaceable", session.text(before.name()));
  diagnostic.range = now.range();
  diagnostic.notes.push_back({"declared here", before.range()});
  diagnostic.help = "declare it `replaceable`";
  session.fail(std::move(diagnostic));
}

// Of redeclarations that are elements of a class, and so have a visibility of their own.
void check_element(Session& session, const Declaration& original, const Declaration& now) {
  const std::string name = session.text(now.name());
  if (now.element != nullptr && !now.element->is_redeclare)
    session.error("missing-redeclare",
                  fmt::format("`extends {}` of a class takes the place of an inherited one: it "
                              "needs `redeclare`",
                              name),
                  now.range());
  if (now.is_protected != original.is_protected)
    session.error("redeclare-visibility",
                  fmt::format("`{}` is {}: it cannot be redeclared as {}", name,
                              original.is_protected ? "protected" : "public",
                              now.is_protected ? "protected" : "public"),
                  now.range());
}

}  // namespace

void check_redeclaration(Session& session, const Declaration& original, const ModList& mods,
                         std::size_t at) {
  const ModNode& mod = *mods[at].mod;
  const Declaration& now = *mod.redeclaration;
  const std::string name = session.text(original.name());
  if (original.is_component() != now.is_component())
    session.fail("redeclare-kind",
                 fmt::format("`{}` is a {}, it cannot be redeclared as a {}", name,
                             original.is_component() ? "component" : "class",
                             original.is_component() ? "class" : "component"),
                 mod.range);
  if (original.is_component() && original.clause->variability == syntax::Variability::kConstant)
    session.error("redeclare-constant",
                  fmt::format("`{}` is constant and cannot be redeclared", name), mod.range);
  check_replaceable(session, declared_before(original, mods, at), now);
  if (mod.is_element) check_element(session, original, now);
}

}  // namespace hydae::modelica
