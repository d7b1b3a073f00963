// The header in C++: compiled alone and first, and used.
#include "combseal.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {
struct Free {
    void operator()(combseal_key *key) const { combseal_key_free(key); }
};
}  // namespace

int main() {
    const std::string text = "a message", nonce = "nonce no. 10";
    const std::vector<uint8_t> bytes(16, 7);
    combseal_key *made = nullptr;
    if (combseal_key_new(&made, "OCB3-AES-128", bytes.data(), bytes.size())) return 1;
    const std::unique_ptr<combseal_key, Free> key(made);
    const auto at = [](const std::string &it) { return reinterpret_cast<const uint8_t *>(it.data()); };
    std::vector<uint8_t> sealed(text.size() + combseal_key_tag_len(key.get())), opened(text.size());
    std::size_t len = 0;
    if (combseal_seal_attached(key.get(), at(nonce), nonce.size(), nullptr, 0, at(text), text.size(), sealed.data(),
                               sealed.size(), &len))
        return 2;
    if (combseal_open_attached(key.get(), at(nonce), nonce.size(), nullptr, 0, sealed.data(), len, opened.data(),
                               opened.size(), &len))
        return 3;
    return std::string(opened.begin(), opened.end()) == text ? 0 : 4;
}
