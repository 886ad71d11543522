@NullMarked
package dev.millrace.contract;

import org.jspecify.annotations.NullMarked;
