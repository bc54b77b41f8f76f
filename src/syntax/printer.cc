#include "syntax/printer.h"

#include <algorithm>

#include "syntax/writer.h"

namespace hydae::syntax {

std::string Writer::run(Piece root) {
  expansion_.push_back(root);
  work_off();
  return std::move(out_);
}

std::string Writer::run(const Name& name) {
  put_name(name);
  work_off();
  return std::move(out_);
}

std::string Writer::run(const SyntaxFile& file) {
  if (file.has_within) {
    put("within");
    if (!file.within.parts.empty()) put(" ");
    put_name(file.within);
    put(";", kLine);
  }
  for (const ClassDefinition* c : file.classes) put(c->is_final ? "final " : "", c, ";", kLine);
  work_off();
  return std::move(out_);
}

void Writer::work_off() {
  do {
    pending_.insert(pending_.end(), expansion_.rbegin(), expansion_.rend());
    expansion_.clear();
    if (pending_.empty()) return;
    const Piece piece = pending_.back();
    pending_.pop_back();
    write(piece);
  } while (true);
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
    case Piece::Kind::kExpr: return expand(*static_cast<const Expr*>(piece.node));
    case Piece::Kind::kModification: return expand(*static_cast<const Modification*>(piece.node));
    case Piece::Kind::kArgument: return expand(*static_cast<const Argument*>(piece.node));
    case Piece::Kind::kElement: return expand(*static_cast<const Element*>(piece.node));
    case Piece::Kind::kEquation: return expand(*static_cast<const Equation*>(piece.node));
    case Piece::Kind::kStatement: return expand(*static_cast<const Statement*>(piece.node));
    case Piece::Kind::kClass: return expand(*static_cast<const ClassDefinition*>(piece.node));
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
