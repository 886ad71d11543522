/** JSON values that steps may use, and their types. */
@NullMarked
package dev.millrace.gateway.resource;

import org.jspecify.annotations.NullMarked;
