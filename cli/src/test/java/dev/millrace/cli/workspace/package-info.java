@NullMarked
package dev.millrace.cli.workspace;

import org.jspecify.annotations.NullMarked;
