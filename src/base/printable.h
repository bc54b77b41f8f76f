// Text of a model (names, units, messages) as it may be shown: characters that a terminal or a
// drawing program would obey instead of showing are written out, "\x1b" for an escape.
#pragma once

#include <string>
#include <string_view>

namespace hydae {

// Control characters (of ASCII, of Latin 1 in UTF-8, and those that turn the direction of text)
// and bytes that are no UTF-8 are written out. Line breaks and tabs stay.
std::string printable(std::string_view text);
// The same, for text that has to stay in one line: line breaks and tabs are written out, too.
std::string printable_line(std::string_view text);
// As text or an attribute of XML, such as SVG.
std::string xml_text(std::string_view text);

}  // namespace hydae
