#include "syntax/printer.h"

#include <algorithm>

#include "syntax/writer.h"

namespace hydae::syntax {

void Pieces::put_name(const Name& name) {
  put_if(name.is_global, ".");
  for (const Ident& part : name.parts) {
    put_if(&part != name.parts.begin(), ".");
    put_ident(part);
  }
}

void Pieces::hand_over(std::vector<Piece>& pending) {
  pending.insert(pending.end(), list_.rbegin(), list_.rend());
  list_.clear();
}

std::string Writer::run(Piece root) {
  expansion_.put(root);
  return work_off();
}

std::string Writer::run(const Name& name) {
  expansion_.put_name(name);
  return work_off();
}

std::string Writer::run(const SyntaxFile& file) {
  if (file.has_within) {
    expansion_.put("within");
    if (!file.within.parts.empty()) expansion_.put(" ");
    expansion_.put_name(file.within);
    expansion_.put(";", kLine);
  }
  for (const ClassDefinition* c : file.classes)
    expansion_.put(c->is_final ? "final " : "", c, ";", kLine);
  return work_off();
}

std::string Writer::work_off() {
  while (true) {
    expansion_.hand_over(pending_);
    if (pending_.empty()) return std::move(out_);
    const Piece piece = pending_.back();
    pending_.pop_back();
    write(piece);
  }
}

void Writer::write(const Piece& piece) {
  switch (piece.kind) {
    case Piece::Kind::kText: out_ += piece.text; return;
    case Piece::Kind::kLine:
      out_ += '\n';
      out_.append(2 * std::min(indentation_, kDeepestIndentation), ' ');
      return;
    case Piece::Kind::kIndent: ++indentation_; return;
    case Piece::Kind::kDedent: --indentation_; return;
    case Piece::Kind::kExpr: return expand(expansion_, *static_cast<const Expr*>(piece.node));
    case Piece::Kind::kModification:
      return expand(expansion_, *static_cast<const Modification*>(piece.node));
    case Piece::Kind::kArgument:
      return expand(expansion_, *static_cast<const Argument*>(piece.node));
    case Piece::Kind::kElement: return expand(expansion_, *static_cast<const Element*>(piece.node));
    case Piece::Kind::kEquation:
      return expand(expansion_, *static_cast<const Equation*>(piece.node));
    case Piece::Kind::kStatement:
      return expand(expansion_, *static_cast<const Statement*>(piece.node));
    case Piece::Kind::kClass:
      return expand(expansion_, *static_cast<const ClassDefinition*>(piece.node));
  }
}

std::string Printer::print(const SyntaxFile& file) const {
  return Writer(sources_, symbols_).run(file);
}

std::string Printer::print(const ClassDefinition& definition) const {
  return Writer(sources_, symbols_).run(&definition);
}

std::string Printer::print(const Element& element) const {
  return Writer(sources_, symbols_).run(&element);
}

std::string Printer::print(const Modification& modification) const {
  return Writer(sources_, symbols_).run(&modification);
}

std::string Printer::print(const Equation& equation) const {
  return Writer(sources_, symbols_).run(&equation);
}

std::string Printer::print(const Statement& statement) const {
  return Writer(sources_, symbols_).run(&statement);
}

std::string Printer::print(const Expr& expr) const { return Writer(sources_, symbols_).run(&expr); }

std::string Printer::print(const Name& name) const { return Writer(sources_, symbols_).run(name); }

}  // namespace hydae::syntax
