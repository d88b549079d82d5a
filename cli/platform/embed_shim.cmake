# Writes OUTPUT, an assembler file that holds the bytes of SHIM and a prefix of their SHA-256.
file(SHA256 "${SHIM}" digest)
string(SUBSTRING "${digest}" 0 16 digest)
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
