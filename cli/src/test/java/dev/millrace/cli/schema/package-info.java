@NullMarked
package dev.millrace.cli.schema;

import org.jspecify.annotations.NullMarked;
