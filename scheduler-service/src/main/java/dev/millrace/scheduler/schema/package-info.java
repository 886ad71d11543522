/** JSON Schema 2020-12, checked without ever loading anything from elsewhere. */
@NullMarked
package dev.millrace.scheduler.schema;

import org.jspecify.annotations.NullMarked;
