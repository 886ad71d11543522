/** The OpenAPI document, its Swagger UI and the start page. */
@NullMarked
package dev.millrace.gateway.docs;

import org.jspecify.annotations.NullMarked;
