// Module: model
// Messages of assertions and terminate with numbers in them: String(x) of what is known only when
// the message is given. In the text of a Model such a number is a placeholder, which names a node
// of the model's graph and says how its value is written.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <hydae/export.h>
#include <hydae/ids.h>
#include <hydae/text_format.h>

namespace HYDAE_EXPORT hydae {

struct MessageNumber {
  std::size_t position = 0;  // in the text without placeholders: before this character
  NodeId value;
  TextFormat format;
};

struct Message {
  std::string text;  // without placeholders
  std::vector<MessageNumber> numbers;
};

std::string message_placeholder(NodeId value, const TextFormat& format);
bool has_placeholder(const std::string& text);
// What looks like a placeholder and is none stays as it is.
Message parse_message(const std::string& message);
// The same message about other nodes: `replace` says which.
std::string replace_values(const std::string& message,
                           const std::function<NodeId(NodeId)>& replace);
// The text with one number for each of `message.numbers`.
std::string message_text(const Message& message, std::span<const double> numbers);

}  // namespace hydae
