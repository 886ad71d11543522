@NullMarked
package dev.millrace.cli.run;

import org.jspecify.annotations.NullMarked;
