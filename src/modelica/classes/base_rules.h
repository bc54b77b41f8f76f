// What a class may extend (Modelica 3.6, 4.5, 4.6, 7.1): each step from a class to one of its bases
// is judged once, when both are elaborated. A short class definition is such a step.
#pragma once

#include "modelica/classes/instance.h"

namespace hydae::modelica {

class Session;

struct BaseStep {
  const Instance& derived;
  const Instance& base;
  SourceRange range;  // of the name of the base
};

// By their kinds. Bases without elements, such as icons, do no harm.
void check_base_kind(Session& session, const BaseStep& step);
// Types, arrays, classes with `input` or `output` and operator records are extended alone.
void check_lone_base(Session& session, const BaseStep& step);
// The name behind `extends` means one class for good (7.1.4).
void check_base_name(Session& session, const syntax::Name& name, Instance& scope);

}  // namespace hydae::modelica
