@NullMarked
package dev.millrace.tls;

import org.jspecify.annotations.NullMarked;
