@NullMarked
package dev.millrace.cli.trigger;

import org.jspecify.annotations.NullMarked;
