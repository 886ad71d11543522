@NullMarked
package dev.millrace.e2e.support;

import org.jspecify.annotations.NullMarked;
