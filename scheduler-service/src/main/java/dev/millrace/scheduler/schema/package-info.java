/** JSON Schema 2020-12, checked within a budget and without loading anything. */
@NullMarked
package dev.millrace.scheduler.schema;

import org.jspecify.annotations.NullMarked;
