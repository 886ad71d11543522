@NullMarked
package dev.millrace.cli.launcher;

import org.jspecify.annotations.NullMarked;
