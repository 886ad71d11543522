@NullMarked
package dev.millrace.cli.context;

import org.jspecify.annotations.NullMarked;
