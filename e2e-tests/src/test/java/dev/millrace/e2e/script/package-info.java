@NullMarked
package dev.millrace.e2e.script;

import org.jspecify.annotations.NullMarked;
