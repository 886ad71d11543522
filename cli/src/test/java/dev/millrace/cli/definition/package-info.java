@NullMarked
package dev.millrace.cli.definition;

import org.jspecify.annotations.NullMarked;
