// Module: sim
// The state of a run as a value that can be kept: all that changes, with the model and the settings
// it belongs to. A run that goes on from it comes to the same numbers, bit by bit, as the run that
// it was taken from, in this process or in another one. As text it is JSON, numbers exact.
#pragma once

#include <memory>
#include <string>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

class SavedState {
 public:
  // `origin`: what messages call it, such as the name of its file. Throws UsageError for a text
  // that is not one of to_text().
  static SavedState from_text(const std::string& text, const std::string& origin = "the state");
  std::string to_text() const;

  const std::string& model() const;  // its name
  double time() const;

  // For the library itself.
  explicit SavedState(std::shared_ptr<const struct SavedContent> content);
  const SavedContent& content() const { return *content_; }

 private:
  std::shared_ptr<const SavedContent> content_;
};

}  // namespace hydae
