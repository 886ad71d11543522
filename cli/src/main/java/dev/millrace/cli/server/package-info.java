/** Commands that show how an installation is. */
@NullMarked
package dev.millrace.cli.server;

import org.jspecify.annotations.NullMarked;
