@NullMarked
package dev.millrace.e2e.run;

import org.jspecify.annotations.NullMarked;
