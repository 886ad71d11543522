/** Reads and writes JSON bodies, with payloads copied as bytes instead of parsed. */
@NullMarked
package dev.millrace.gateway.json;

import org.jspecify.annotations.NullMarked;
