@NullMarked
package dev.millrace.harness;

import org.jspecify.annotations.NullMarked;
