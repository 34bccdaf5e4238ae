// MD5 (RFC 1321), for the SQL function of that name. Not for anything that must withstand an attacker.
#pragma once

#include <string>
#include <string_view>

namespace saccade {

// The digest as 32 hexadecimal digits.
std::string md5_hex(std::string_view bytes);

}  // namespace saccade
