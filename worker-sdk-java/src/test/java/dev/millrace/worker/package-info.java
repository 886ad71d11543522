@NullMarked
package dev.millrace.worker;

import org.jspecify.annotations.NullMarked;
