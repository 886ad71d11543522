/** The OpenAPI document. The console shows it as the page {@code /docs}. */
@NullMarked
package dev.millrace.gateway.docs;

import org.jspecify.annotations.NullMarked;
