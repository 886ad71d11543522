/** Tokens: issued, listed and revoked. */
@NullMarked
package dev.millrace.gateway.token;

import org.jspecify.annotations.NullMarked;
