# Writes OUTPUT, an assembler file that holds the bytes of SHIM and a prefix of their SHA-256.
file(SHA256 "${SHIM}" digest)
string(SUBSTRING "${digest}" 0 16 digest)
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
# configure_file leaves an unchanged file alone, but the build goes by its time.
file(TOUCH_NOCREATE "${OUTPUT}")
