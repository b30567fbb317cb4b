#include "engine/arguments.h"

#include <fstream>

namespace plimsoll::engine {

Expected<std::vector<std::string>, std::string> with_files(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    for (const std::string& word : arguments) {
        if (word.size() < 2 || word.front() != '@') {
            words.push_back(word);
            continue;
        }
        std::ifstream in(word.substr(1));
        std::string line;
        while (std::getline(in, line)) {
            if (line.ends_with('\r')) line.pop_back();   // written on another system
            if (!line.empty()) words.push_back(line);
        }
        if (!in.eof()) return Unexpected{word + ": the file of arguments cannot be read"};
    }
    return words;
}

}  // namespace plimsoll::engine
