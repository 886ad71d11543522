@NullMarked
package dev.millrace.cli.schedule;

import org.jspecify.annotations.NullMarked;
