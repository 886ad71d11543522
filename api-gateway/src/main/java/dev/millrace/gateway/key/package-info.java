/** The keys that encrypt secrets. */
@NullMarked
package dev.millrace.gateway.key;

import org.jspecify.annotations.NullMarked;
