@NullMarked
package dev.millrace.cli.identity;

import org.jspecify.annotations.NullMarked;
