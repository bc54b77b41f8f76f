#include "syntax/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class T>
const T& element(const Parsed& parsed, std::size_t i) {
  return as<T>(*parsed.first_class().elements[i]);
}

std::vector<std::string> names(const Parsed& parsed, const Name& name) {
  std::vector<std::string> out;
  for (const Ident& part : name.parts) out.emplace_back(parsed.text(part));
  return out;
}

TEST(Parser, an_empty_file_is_a_file) {
  const Parsed parsed(" // nothing\n");
  EXPECT_EQ(parsed.messages(), "");
  EXPECT_TRUE(parsed.file.classes.empty());
  EXPECT_FALSE(parsed.file.has_within);
}

TEST(Parser, reads_within_and_several_classes) {
  const Parsed parsed("within A.B; final model C end C; type D = Real;");
  EXPECT_EQ(parsed.messages(), "");
  EXPECT_THAT(names(parsed, parsed.file.within), ElementsAre("A", "B"));
  ASSERT_EQ(parsed.file.classes.size(), 2u);
  EXPECT_TRUE(parsed.file.classes[0]->is_final);
  EXPECT_EQ(parsed.file.classes[1]->kind, ClassForm::kShort);
  const Parsed top("within; model A end A;");
  EXPECT_TRUE(top.file.has_within);
  EXPECT_TRUE(top.file.within.parts.empty());
}

TEST(Parser, knows_every_kind_of_class) {
  const std::pair<const char*, ClassKind> kinds[] = {
      {"class", ClassKind::kClass},
      {"model", ClassKind::kModel},
      {"record", ClassKind::kRecord},
      {"operator record", ClassKind::kOperatorRecord},
      {"block", ClassKind::kBlock},
      {"connector", ClassKind::kConnector},
      {"expandable connector", ClassKind::kExpandableConnector},
      {"type", ClassKind::kType},
      {"package", ClassKind::kPackage},
      {"function", ClassKind::kFunction},
      {"operator function", ClassKind::kOperatorFunction},
      {"operator", ClassKind::kOperator},
  };
  for (const auto& [text, kind] : kinds) {
    const Parsed parsed(std::string("encapsulated partial ") + text + " A end A;");
    EXPECT_EQ(parsed.messages(), "");
    const LongClass& a = parsed.first_class();
    EXPECT_EQ(a.class_kind, kind);
    EXPECT_TRUE(a.is_encapsulated && a.is_partial);
  }
  EXPECT_EQ(Parsed("pure function f end f;").first_class().purity, Purity::kPure);
  EXPECT_EQ(Parsed("impure function f end f;").first_class().purity, Purity::kImpure);
}

TEST(Parser, reads_the_four_forms_of_a_class) {
  const Parsed parsed(R"(package P
  connector C = input Real[3](unit = "m") "c" annotation(Icon());
  type E = enumeration(a "first", b);
  type F = enumeration(:);
  function g = der(f, x, y);
  redeclare model extends M(k = 1) "m" end M;
end P;)");
  EXPECT_EQ(parsed.messages(), "");
  const auto definition = [&](int i) { return element<ClassElement>(parsed, i).definition; };
  const auto& c = as<ShortClass>(*definition(0));
  EXPECT_EQ(c.base_prefix, Causality::kInput);
  EXPECT_THAT(names(parsed, c.base), ElementsAre("Real"));
  EXPECT_EQ(c.subscripts.size(), 1u);
  EXPECT_EQ(c.modification->arguments.size(), 1u);
  EXPECT_EQ(description_text(c.comment), "c");
  EXPECT_NE(c.comment.annotation, nullptr);
  const auto& e = as<EnumerationClass>(*definition(1));
  ASSERT_EQ(e.literals.size(), 2u);
  EXPECT_EQ(description_text(e.literals[0].comment), "first");
  EXPECT_TRUE(as<EnumerationClass>(*definition(2)).is_open);
  EXPECT_EQ(as<DerivativeClass>(*definition(3)).variables.size(), 2u);
  const auto& m = as<LongClass>(*definition(4));
  EXPECT_TRUE(m.is_extends);
  EXPECT_TRUE(parsed.first_class().elements[4]->is_redeclare);
  EXPECT_EQ(m.modification->arguments.size(), 1u);
}

TEST(Parser, keeps_sections_in_order_and_visibility_on_elements) {
  const Parsed parsed(R"(model A
  Real a;
protected
  Real b;
initial equation
  a = 1;
equation
  b = 2;
public
  Real c;
algorithm
  c := 1;
initial algorithm
protected
end A;)");
  EXPECT_EQ(parsed.messages(), "");
  const LongClass& a = parsed.first_class();
  std::vector<SectionKind> kinds;
  for (const Section& section : a.sections) kinds.push_back(section.kind);
  EXPECT_THAT(kinds, ElementsAre(SectionKind::kElements, SectionKind::kProtected,
                                 SectionKind::kInitialEquation, SectionKind::kEquation,
                                 SectionKind::kPublic, SectionKind::kAlgorithm,
                                 SectionKind::kInitialAlgorithm, SectionKind::kProtected));
  ASSERT_EQ(a.elements.size(), 3u);
  EXPECT_EQ(a.elements[0]->visibility, Visibility::kPublic);
  EXPECT_EQ(a.elements[1]->visibility, Visibility::kProtected);
  EXPECT_EQ(a.elements[2]->visibility, Visibility::kPublic);
  EXPECT_EQ(a.sections[1].elements[0], a.elements[1]);
  EXPECT_EQ(parsed.text(a.sections[2].range), "initial");
}

TEST(Parser, reads_every_form_of_import) {
  const Parsed parsed(
      "model A import B.C; import D = B.C; import B.*; import B. *; import B.{C, D}; end A;");
  EXPECT_EQ(parsed.messages(), "");
  EXPECT_THAT(names(parsed, element<ImportElement>(parsed, 0).name), ElementsAre("B", "C"));
  EXPECT_EQ(parsed.text(element<ImportElement>(parsed, 1).alias), "D");
  EXPECT_TRUE(element<ImportElement>(parsed, 2).is_all);
  EXPECT_TRUE(element<ImportElement>(parsed, 3).is_all);
  EXPECT_THAT(names(parsed, element<ImportElement>(parsed, 3).name), ElementsAre("B"));
  EXPECT_EQ(element<ImportElement>(parsed, 4).members.size(), 2u);
}

TEST(Parser, reads_prefixes_dimensions_bindings_and_conditions_of_components) {
  const Parsed parsed(R"(model A
  redeclare final inner outer replaceable flow parameter input Real[3] x[2](start = 1) = 2 if c "x",
    y "y" constrainedby B(z = 1) "b";
end A;)");
  EXPECT_EQ(parsed.messages(), "");
  const auto& e = element<ComponentElement>(parsed, 0);
  EXPECT_TRUE(e.is_redeclare && e.is_final && e.is_inner && e.is_outer && e.is_replaceable);
  EXPECT_EQ(e.connection, Connection::kFlow);
  EXPECT_EQ(e.variability, Variability::kParameter);
  EXPECT_EQ(e.causality, Causality::kInput);
  EXPECT_EQ(e.type_subscripts.size(), 1u);
  ASSERT_EQ(e.declarations.size(), 2u);
  const ComponentDeclaration& x = e.declarations[0];
  EXPECT_EQ(x.subscripts.size(), 1u);
  EXPECT_EQ(as<IntegerExpr>(*x.modification->value).value, 2);
  EXPECT_NE(x.condition, nullptr);
  EXPECT_EQ(parsed.text(x.range), "x[2](start = 1) = 2 if c");
  EXPECT_EQ(description_text(e.declarations[1].comment), "y");
  ASSERT_NE(e.constraint, nullptr);
  EXPECT_THAT(names(parsed, e.constraint->type), ElementsAre("B"));
  EXPECT_EQ(description_text(e.constraint->comment), "b");
}

TEST(Parser, reads_every_form_of_modification) {
  const Parsed parsed(R"(model A
  extends B(each final x.y(z = 1) = 2 "text", p = break, q, break r, break connect(s.t, u),
    redeclare each final replaceable parameter C c(k = 1) "c" constrainedby D,
    replaceable model M = N(k = 1));
end A;)");
  EXPECT_EQ(parsed.messages(), "");
  const List<const Argument*> arguments =
      element<ExtendsElement>(parsed, 0).modification->arguments;
  ASSERT_EQ(arguments.size(), 7u);
  const auto& x = as<ModifyArgument>(*arguments[0]);
  EXPECT_TRUE(x.is_each && x.is_final);
  EXPECT_THAT(names(parsed, x.name), ElementsAre("x", "y"));
  EXPECT_EQ(x.modification->arguments.size(), 1u);
  EXPECT_NE(x.modification->value, nullptr);
  EXPECT_EQ(x.description.size(), 1u);
  EXPECT_TRUE(as<ModifyArgument>(*arguments[1]).modification->is_break);
  EXPECT_EQ(as<ModifyArgument>(*arguments[2]).modification, nullptr);
  EXPECT_EQ(parsed.text(as<BreakElementArgument>(*arguments[3]).name), "r");
  EXPECT_EQ(as<BreakConnectArgument>(*arguments[4]).left->parts.size(), 2u);
  const auto& c = as<RedeclareArgument>(*arguments[5]);
  EXPECT_TRUE(c.is_each && c.is_final);
  EXPECT_TRUE(c.element->is_redeclare && c.element->is_replaceable && c.element->is_final);
  EXPECT_EQ(as<ComponentElement>(*c.element).variability, Variability::kParameter);
  EXPECT_NE(c.element->constraint, nullptr);
  const auto& m = as<RedeclareArgument>(*arguments[6]);
  EXPECT_FALSE(m.element->is_redeclare);
  EXPECT_EQ(as<ClassElement>(*m.element).definition->kind, ClassForm::kShort);
}

TEST(Parser, reads_every_form_of_equation) {
  const Parsed parsed(R"(model A
equation
  x + y = z "sum" annotation(Inline = true);
  (a, b) = f(x);
  if c then x = 1; elseif d then else y = 2; end if;
  for i in 1:3, j loop x[i] = j; end for;
  when e then x = 1; elsewhen g then y = 2; end when;
  connect(a.p, b[1].n);
  assert(x > 0, "text");
  pure(f(x)) = y;
end A;)");
  EXPECT_EQ(parsed.messages(), "");
  const List<const Equation*> equations = parsed.first_class().sections[0].equations;
  ASSERT_EQ(equations.size(), 8u);
  EXPECT_EQ(parsed.text(equations[0]->range), "x + y = z");
  EXPECT_EQ(description_text(equations[0]->comment), "sum");
  EXPECT_NE(equations[0]->comment.annotation, nullptr);
  EXPECT_EQ(as<EqualEquation>(*equations[1]).left->kind, ExprKind::kTuple);
  const auto& branches = as<IfEquation>(*equations[2]).branches;
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_NE(branches[1].condition, nullptr);
  EXPECT_TRUE(branches[1].body.empty());
  EXPECT_EQ(branches[2].condition, nullptr);
  EXPECT_EQ(branches[2].body.size(), 1u);
  const auto& loop = as<ForEquation>(*equations[3]);
  ASSERT_EQ(loop.iterators.size(), 2u);
  EXPECT_EQ(loop.iterators[1].range, nullptr);
  EXPECT_EQ(as<WhenEquation>(*equations[4]).branches.size(), 2u);
  EXPECT_EQ(as<ConnectEquation>(*equations[5]).right->parts.size(), 2u);
  EXPECT_EQ(as<CallEquation>(*equations[6]).call->arguments.size(), 2u);
  EXPECT_EQ(equations[7]->kind, EquationKind::kEqual);
}

TEST(Parser, reads_every_form_of_statement) {
  const Parsed parsed(R"(function f
algorithm
  x[1] := 2 "set";
  (a, , b) := g(x);
  (c) := g(x);
  g(x);
  if c then break; else return; end if;
  for i in 1:3 loop end for;
  while x > 1 loop x := 1; end while;
  when e then x := 1; end when;
end f;)");
  EXPECT_EQ(parsed.messages(), "");
  const List<const Statement*> statements = parsed.first_class().sections[0].statements;
  ASSERT_EQ(statements.size(), 8u);
  EXPECT_EQ(as<AssignStatement>(*statements[0]).target->parts[0].subscripts.size(), 1u);
  EXPECT_EQ(as<AssignCallStatement>(*statements[1]).targets.size(), 3u);
  EXPECT_EQ(as<AssignCallStatement>(*statements[1]).targets[1], nullptr);
  EXPECT_EQ(as<AssignCallStatement>(*statements[2]).targets.size(), 1u);
  EXPECT_EQ(statements[3]->kind, StatementKind::kCall);
  const auto& branches = as<IfStatement>(*statements[4]).branches;
  EXPECT_EQ(branches[0].body[0]->kind, StatementKind::kBreak);
  EXPECT_EQ(branches[1].body[0]->kind, StatementKind::kReturn);
  EXPECT_EQ(as<WhileStatement>(*statements[6]).body.size(), 1u);
}

TEST(Parser, reads_external_functions) {
  const Parsed parsed(R"(function f
  external "C" y[1] = c_f(x, size(x, 1), "s") annotation(Library = "m");
  annotation(Inline = false);
end f;)");
  EXPECT_EQ(parsed.messages(), "");
  const LongClass& f = parsed.first_class();
  EXPECT_EQ(string_value(*f.external->language), "C");
  EXPECT_EQ(f.external->output->parts.size(), 1u);
  EXPECT_EQ(parsed.text(f.external->function), "c_f");
  EXPECT_EQ(f.external->arguments.size(), 3u);
  EXPECT_NE(f.external->annotation, f.comment.annotation);
  const Parsed bare("function f external; end f;");
  EXPECT_EQ(bare.messages(), "");
  EXPECT_FALSE(bare.first_class().external->function.is_valid());
}

TEST(Parser, ranges_cover_what_was_written) {
  const Parsed parsed("model A \"a\" Real x(start = 1) = f(2) \"x\"; equation x = 1; end A;");
  const LongClass& a = parsed.first_class();
  EXPECT_EQ(parsed.text(a.range), parsed.sources.text(parsed.source).substr(0, a.range.end));
  EXPECT_EQ(parsed.text(a.range).substr(a.range.end - 5), "end A");
  EXPECT_EQ(parsed.text(a.name.range), "A");
  EXPECT_EQ(parsed.text(a.elements[0]->range), "Real x(start = 1) = f(2) \"x\"");
  const Modification& m = *element<ComponentElement>(parsed, 0).declarations[0].modification;
  EXPECT_EQ(parsed.text(m.range), "(start = 1) = f(2)");
  EXPECT_EQ(parsed.text(m.arguments[0]->range), "start = 1");
  EXPECT_EQ(parsed.text(m.value->range), "f(2)");
}

TEST(Parser, joins_the_strings_of_a_description) {
  const Parsed parsed(R"(model A "one " + "two\n" end A;)");
  EXPECT_EQ(description_text(parsed.first_class().comment), "one two\n");
}

TEST(Parser, reads_many_files_at_once_in_order) {
  SourceSet sources;
  SymbolTable symbols;
  std::vector<SourceId> ids;
  for (int i = 0; i < 500; ++i) {
    const std::string name = "M" + std::to_string(i);
    ids.push_back(sources.add(name, "model " + name + " end " + name + ";"));
  }
  const std::vector<SyntaxFile> files = parse_all(sources, ids, symbols);
  ASSERT_EQ(files.size(), ids.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(files[i].source, ids[i]);
    EXPECT_EQ(symbols.text(files[i].classes[0]->name.symbol), "M" + std::to_string(i));
  }
  EXPECT_THAT(parse_all(sources, {}, symbols), IsEmpty());
}

}  // namespace
}  // namespace hydae::syntax
