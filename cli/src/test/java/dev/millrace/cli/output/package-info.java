@NullMarked
package dev.millrace.cli.output;

import org.jspecify.annotations.NullMarked;
