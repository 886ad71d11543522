/** Deploys scripts and flows of folders whenever they are saved, for {@code millrace dev FOLDER}. */
@NullMarked
package dev.millrace.cli.watch;

import org.jspecify.annotations.NullMarked;
