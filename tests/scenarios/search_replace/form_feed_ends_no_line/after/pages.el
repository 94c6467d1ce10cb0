(defun one ())

(defun two ()) ; last
(defun two () nil)

