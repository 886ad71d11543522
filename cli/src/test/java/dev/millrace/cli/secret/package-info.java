@NullMarked
package dev.millrace.cli.secret;

import org.jspecify.annotations.NullMarked;
