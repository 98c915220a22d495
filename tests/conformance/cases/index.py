"""What do operations that take indices give? `take` along an axis, `oneHot`."""

import numpy as np

from .format import Group, Tensor, integers, normals


def cases():
    group = Group()

    def take(name, x, indices, axis):
        # Negative indices count from the end. What lies outside has no case here.
        expected = np.take(x.values, indices.values.astype(np.int64), axis=axis)
        group.add(f"take-{name}", "take", [x, indices], expected, x.dtype, {"axis": axis})

    x = normals("take", (5, 7))
    take("axis-0", x, Tensor([0, 4, 2], "i32"), 0)
    take("axis-1", x, Tensor([6, 0, 3], "i32"), 1)
    take("negative-axis", x, Tensor([6, 0, 3], "i32"), -1)
    take("repeated", x, Tensor([2, 2, 0, 2, 4, 4], "i32"), 0)
    take("negative-indices", x, Tensor([-1, -5, 1, -2], "i32"), 0)
    take("one", x, Tensor([3], "i32"), 1)
    take("0d-index-drops-the-axis", x, Tensor(3, "i32"), 1)
    take("0d-negative-index", x, Tensor(-1, "i32"), 0)
    take("no-indices", x, Tensor(np.zeros(0), "i32"), 0)
    take("indices-of-rank-2", x, Tensor([[0, 1], [4, 3], [2, 2]], "i32"), 0)
    take("indices-of-rank-2-inner-axis", x, Tensor([[0, 6], [-1, 3]], "i32"), 1)
    take("vector", normals("take-vector", (17,)), Tensor([16, 0, 8, -17], "i32"), 0)
    take("more-than-there-are", normals("take-more", (3,)), integers("take-indices", (130,), 0, 2), 0)
    take("u32-indices", x, Tensor([4, 0, 4], "u32"), 0)
    take("rank-3-middle", normals("take-3", (2, 3, 4)), Tensor([2, 0], "i32"), 1)
    take("rank-5", normals("take-5", (1, 2, 1, 3, 2)), Tensor([2, 1, 0], "i32"), 3)
    take("of-size-1-axis", normals("take-size-1", (1, 3)), Tensor([0, 0, -1], "i32"), 0)
    take("other-axis-empty", Tensor(np.zeros((3, 0))), Tensor([2, 0], "i32"), 0)
    take("i32", integers("take-i32", (3, 4), -9, 9), Tensor([1, -1], "i32"), 1)
    take("bool", Tensor([True, False, True, True], "bool"), Tensor([1, 0, 3, 1], "i32"), 0)

    def one_hot(name, classes, n):
        expected = np.eye(n)[classes.values] if n else np.zeros(classes.values.shape + (0,))
        group.add(f"oneHot-{name}", "oneHot", [classes], expected, attrs={"numClasses": n})

    one_hot("7-of-10", integers("oneHot", (7,), 0, 9), 10)
    one_hot("3x5-of-4", integers("oneHot-matrix", (3, 5), 0, 3), 4)
    one_hot("0d", Tensor(2, "i32"), 3)
    one_hot("one-class", Tensor([0, 0], "i32"), 1)
    one_hot("empty", Tensor(np.zeros(0, int), "i32"), 3)
    one_hot("u32", Tensor([2, 0], "u32"), 3)
    return group
