@NullMarked
package dev.millrace.cli.local;

import org.jspecify.annotations.NullMarked;
